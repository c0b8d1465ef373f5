/** A text with the changes that a model proposes in their places. */

import { type ComponentChildren, createElement } from "preact";

/** A change of the text, in UTF-16 units. */
export interface TextMark {
  id: string;
  from: number;
  to: number;
  inserted: string;
  isCurrent: boolean;
  /** what the part of the text is: by default what a proposed change removes */
  tag?: "del" | "ins" | "mark";
}

/** Shows pieces of a text, asked for from its beginning to its end. */
export class MarkedText {
  private next = 0;

  /** @param marks in order, not overlapping */
  constructor(
    private readonly text: string,
    private readonly marks: TextMark[],
  ) {}

  /** A piece of the text. What is inserted before it is at its beginning. */
  piece(from: number, to: number, shown = this.text.slice(from, to)): ComponentChildren[] {
    const children: ComponentChildren[] = [];
    let at = from;
    for (let mark = this.marks[this.next]; mark; mark = this.marks[this.next]) {
      if (mark.from >= to) break;
      if (mark.from > at) children.push(this.text.slice(at, mark.from));
      const start = Math.max(at, mark.from);
      const end = Math.max(start, Math.min(mark.to, to));
      if (end > start) children.push(<MarkedPart mark={mark} text={this.text.slice(start, end)} />);
      at = end;
      if (mark.to > to) break;
      children.push(<Inserted mark={mark} />);
      this.next += 1;
    }
    if (at === from) children.push(shown);
    else if (at < to) children.push(this.text.slice(at, to));
    return children;
  }

  /** What is inserted at the end of the text. */
  rest(): ComponentChildren[] {
    const left = this.marks.slice(this.next);
    this.next = this.marks.length;
    return left.map((mark) => <Inserted mark={mark} />);
  }
}

const className = ({ isCurrent }: TextMark) => (isCurrent ? "patch current" : "patch");

function MarkedPart({ mark, text }: { mark: TextMark; text: string }) {
  const attributes = { class: className(mark), "data-patch": mark.id };
  return createElement(mark.tag ?? "del", attributes, text);
}

function Inserted({ mark }: { mark: TextMark }) {
  if (!mark.inserted) return null;
  return (
    <ins class={className(mark)} data-patch={mark.id}>
      {mark.inserted}
    </ins>
  );
}
