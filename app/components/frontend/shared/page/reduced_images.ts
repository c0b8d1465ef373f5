/**
 * Images reduced to the size in which they are shown, as canvases. What browsers decode for an <img>
 * they keep, up to half a gigabyte of it, long after the element is gone.
 */

/**
 * Fetch and decode an image.
 * @param size in pixels, at least half of the image's own, or lines of it are skipped; null for that
 */
export async function fetchReduced(
  url: string,
  request: RequestInit,
  size: Pt.Size | null,
): Promise<ImageBitmap> {
  const reply = await fetch(url, request);
  if (!reply.ok) throw new Error(`no image: ${reply.status}`);
  const blob = await reply.blob();
  if (!size) return createImageBitmap(blob);
  const [resizeWidth, resizeHeight] = size;
  // Browsers keep what the better qualities need on the way.
  return createImageBitmap(blob, { resizeWidth, resizeHeight, resizeQuality: "low" });
}

/** Show an image; it is the canvas's from now on. */
export function showBitmap(canvas: HTMLCanvasElement, bitmap: ImageBitmap) {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}
