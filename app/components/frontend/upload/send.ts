import { t } from "../shared/messages";

/**
 * Send one file.
 * @param onProgress called with the share that is sent, 0 to 1
 * @returns a sentence about a refusal, or null
 */
export function send(
  file: File,
  { address, token }: Pt.UploadData,
  onProgress: (share: number) => void,
): Promise<string | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("PUT", address + encodeURIComponent(file.name));
    request.setRequestHeader("X-Pagetrail", token);
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(loaded / Math.max(1, total)),
    );
    request.addEventListener("error", () => resolve(t("The connection was lost. Send it again.")));
    request.addEventListener("load", () => {
      resolve(request.status === 200 ? null : refusal(request.responseText));
    });
    request.send(file);
  });
}

function refusal(text: string): string {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return t("The server did not take it. Try again.");
  }
}
