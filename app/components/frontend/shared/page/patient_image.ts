/** Thumbnails that are asked for again where the server has more to do than to draw them. */

const RETRY_MS = [1500, 4000, 10000, 20000];

/** Load an image; what is still refused after some time is taken away. */
export function loadPatiently(image: HTMLImageElement, address: string) {
  let failures = 0;
  image.addEventListener("error", () => {
    const wait = RETRY_MS[failures];
    failures += 1;
    if (wait === undefined) {
      image.remove();
      return;
    }
    image.style.visibility = "hidden"; // no sign of a broken image meanwhile
    setTimeout(
      () => {
        if (image.isConnected) image.src = address;
      },
      wait * (0.75 + Math.random() * 0.5),
    );
  });
  image.addEventListener("load", () => {
    image.style.visibility = "";
  });
  image.src = address;
}
