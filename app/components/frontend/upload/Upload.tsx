import { type ReadonlySignal, useSignal } from "@preact/signals";
import { t } from "../shared/messages";
import type { ChosenFile } from "./upload_screen";
import "./Upload.css";

export interface UploadProps {
  files: ReadonlySignal<ChosenFile[]>;
  onChoose: (files: FileList) => void;
}

/** A place where PDF files are chosen or dropped, and how far each of them is. */
export function Upload({ files, onChoose }: UploadProps) {
  const isOver = useSignal(false);
  const setOver = (event: DragEvent, over: boolean) => {
    event.preventDefault();
    isOver.value = over;
  };
  return (
    <>
      <label
        class={isOver.value ? "zone over" : "zone"}
        onDragOver={(event) => setOver(event, true)}
        onDragLeave={(event) => setOver(event, false)}
        onDrop={(event) => {
          setOver(event, false);
          if (event.dataTransfer) onChoose(event.dataTransfer.files);
        }}
      >
        <span>{t("Drop PDF files here, or choose them")}</span>
        <input
          type="file"
          multiple
          accept=".pdf,application/pdf"
          data-testid="upload-input"
          onChange={({ currentTarget }) => {
            if (currentTarget.files) onChoose(currentTarget.files);
            currentTarget.value = ""; // the same file can be chosen again
          }}
        />
      </label>
      <ul aria-live="polite" data-testid="upload-list">
        {files.value.map(({ id, name, state, isRefused }) => (
          <li key={id}>
            <span>{name}</span>
            <span class={isRefused ? "problem" : undefined}>{state}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
