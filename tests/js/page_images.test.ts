/** Which requests are made for the images of pages, and in which order of need. */

import assert from "node:assert/strict";
import test from "node:test";
import { PageImages } from "../../app/components/frontend/shared/page/page_images";

const RESOLUTION = { dpi: 150, pixels: null };

/** Images of which no request is answered, and what was asked for. */
function unanswered(run: (images: PageImages, requests: RequestInit[]) => void) {
  const requests: RequestInit[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (_url, request) => {
    requests.push(request ?? {});
    return new Promise(() => {});
  };
  try {
    run(new PageImages((sha, page, dpi) => `${sha}/${page}?${dpi}`), requests);
  } finally {
    globalThis.fetch = fetch;
  }
}

test("a page fetched ahead that is waited for is asked for anew, and its first request stopped", () => {
  unanswered((images, requests) => {
    images.load("a", 1, RESOLUTION, "likely");
    images.load("a", 1, RESOLUTION);
    images.load("a", 1, RESOLUTION);
    assert.deepEqual(
      requests.map(({ priority }) => priority),
      ["low", "high"],
    );
    assert.deepEqual(requests[0].headers, { "X-Pagetrail-Ahead": "likely" });
    assert.equal(requests[0].signal?.aborted, true);
    assert.equal(requests[1].signal, undefined);
  });
});

test("a page that is waited for is not asked for again ahead of its turn", () => {
  unanswered((images, requests) => {
    images.load("a", 1, RESOLUTION);
    images.load("a", 1, RESOLUTION, "neighbour");
    assert.equal(requests.length, 1);
  });
});
