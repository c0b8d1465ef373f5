import "./MiddleCut.css";

const END_CHARACTERS = 9;

export interface MiddleCutProps {
  text: string;
  class?: string;
  testid?: string;
}

/** A file's name, cut in the middle where there is no room: its end tells files apart. */
export function MiddleCut({ text, class: name = "", testid }: MiddleCutProps) {
  const characters = [...text];
  const start = characters.slice(0, -END_CHARACTERS).join("");
  const end = characters.slice(-END_CHARACTERS).join("");
  return (
    <span class={`middle-cut ${name}`} data-testid={testid} title={text} dir="auto">
      {start ? <span class="middle-cut-start">{start}</span> : null}
      <span class="middle-cut-end">{end}</span>
    </span>
  );
}
