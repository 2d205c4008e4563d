/** Node's ports have these methods. */
type Port = MessagePort & { ref?(): void; unref?(): void };

const waiting: (() => void)[] = [];
let ports: { readonly port1: Port; readonly port2: Port } | undefined;

/**
 * Calls back in the next macrotask, after every promise that can settle now. By messages, because a test may have replaced
 * the timers. The process stays alive only while a callback waits.
 */
export function requestTurn(callback: () => void): void {
  ports ??= openPorts();
  const { port1, port2 } = ports;
  if (waiting.push(callback) === 1) port1.ref?.();
  port2.postMessage(undefined);
}

/** Waits for the next macrotask. */
export function nextTurn(): Promise<void> {
  return new Promise(requestTurn);
}

function openPorts() {
  const opened = new MessageChannel();
  const port1: Port = opened.port1;
  port1.onmessage = () => {
    const callback = waiting.shift();
    if (waiting.length === 0) port1.unref?.();
    callback?.();
  };
  return opened;
}
