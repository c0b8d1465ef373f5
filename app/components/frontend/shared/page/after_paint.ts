/** The time at which what is on screen has been painted. */

const afterFrame: ((now: number) => void)[] = [];
let channel: MessageChannel | null = null;

function openChannel() {
  const opened = new MessageChannel();
  opened.port1.onmessage = () => {
    for (const callback of afterFrame.splice(0)) callback(performance.now());
  };
  return opened;
}

/**
 * Call back once the present DOM has been painted: a frame's callback runs before its paint, a
 * message posted from there after it.
 */
export function afterPaint(callback: (now: number) => void) {
  requestAnimationFrame(() => {
    afterFrame.push(callback);
    channel ??= openChannel();
    channel.port2.postMessage(null);
  });
}
