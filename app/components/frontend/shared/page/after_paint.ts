/** The time at which what is on screen has been painted. */

const channel = new MessageChannel();
const afterFrame: ((now: number) => void)[] = [];
channel.port1.onmessage = () => {
  for (const callback of afterFrame.splice(0)) callback(performance.now());
};

/**
 * Call back once the present DOM has been painted: a frame's callback runs before its paint, a
 * message posted from there after it.
 */
export function afterPaint(callback: (now: number) => void) {
  requestAnimationFrame(() => {
    afterFrame.push(callback);
    channel.port2.postMessage(null);
  });
}
