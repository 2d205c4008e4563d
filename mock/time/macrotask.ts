import { builtinModule, realTimers } from "./runtime.ts";

/** Node's ports have these methods. */
type Port = MessagePort & { ref?(): void; unref?(): void };

const { setTimeout: realTimeout } = realTimers;

const waiting: (() => void)[] = [];
let post: (() => void) | undefined;

/**
 * Calls back in the next macrotask, after every promise that can settle now. By messages, because a test may have replaced
 * the timers. The process stays alive only while a callback waits.
 */
export function requestTurn(callback: () => void): void {
  post ??= openPorts();
  waiting.push(callback);
  post();
}

/** Waits for the next macrotask. */
export function nextTurn(): Promise<void> {
  return new Promise(requestTurn);
}

/** How a macrotask is requested: by a timer in jsdom without MessageChannel outside Node, and in React Native. */
function openPorts(): () => void {
  const Channel = globalThis.MessageChannel ?? builtinModule<typeof globalThis>("node:worker_threads")?.MessageChannel;
  if (!Channel) return () => void realTimeout(() => waiting.shift()?.(), 0);
  const opened = new Channel();
  const { port1, port2 }: { port1: Port; port2: Port } = opened;
  port1.onmessage = () => {
    const callback = waiting.shift();
    if (waiting.length === 0) port1.unref?.();
    callback?.();
  };
  return () => {
    if (waiting.length === 1) port1.ref?.();
    port2.postMessage(undefined);
  };
}
