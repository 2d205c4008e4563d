import type { Delivery } from "../adapter.ts";
import { RATE_LIMITED_CODE } from "../assumptions.ts";
import { type Answer, encodeReply, JSON_HEADERS, type WireReply } from "../reply.ts";
import type { SessionState } from "../sessions/session-state.ts";
import type { Fault } from "./fault.ts";

/** What a fault has to work with. */
export interface Scene {
  readonly state: SessionState;
  /** Lets the service do its work, and gives the answer that it would send. */
  readonly answer: () => Answer;
  /** Records what was answered, or that nothing was. */
  readonly settle: (answer: Answer | undefined) => void;
}

type Effect<Type> = (fault: Extract<Fault, { type: Type }>, scene: Scene) => Delivery | Promise<Delivery>;

/** How an exchange ends that a reset cuts short. */
export const NETWORK_ERROR: Delivery = { how: "networkError" };

const effects: { readonly [Type in Fault["type"]]: Effect<Type> } = {
  apiError: ({ code, message }, scene) => {
    return instead(scene, { status: 400, headers: JSON_HEADERS, body: JSON.stringify({ error: code, message }) });
  },
  reply: (fault, scene) => instead(scene, encodeReply(fault as Parameters<typeof encodeReply>[0])),
  rateLimited: ({ retryAfterSeconds }, scene) => {
    const body = JSON.stringify({
      error: RATE_LIMITED_CODE,
      message: `too many requests; try again after ${retryAfterSeconds} s`,
    });
    return instead(scene, { status: 429, headers: [...JSON_HEADERS, "Retry-After", `${retryAfterSeconds}`], body });
  },
  delay: async ({ ms }, scene) => {
    const answer = scene.answer();
    await scene.state.wait(ms);
    scene.settle(answer);
    return scene.state.isOver ? NETWORK_ERROR : answer;
  },
  hang: async (_fault, scene) => {
    await scene.state.wait();
    scene.settle(undefined);
    return NETWORK_ERROR;
  },
  networkError: (_fault, scene) => without(scene, "networkError"),
  connectionRefused: (_fault, scene) => without(scene, "connectionRefused"),
  lostResponse: (_fault, scene) => {
    scene.settle(scene.answer());
    return { how: "lostResponse" };
  },
  truncatedBody: (_fault, scene) => {
    const answer = scene.answer();
    scene.settle(answer);
    return { ...answer, how: "truncatedBody" };
  },
  stalledBody: (_fault, scene) => {
    const answer = scene.answer();
    scene.settle(answer);
    return { ...answer, how: "stalledBody", ended: scene.state.wait() };
  },
};

/** Lets a fault have its way with an exchange. */
export function applyFault(fault: Fault, scene: Scene): Delivery | Promise<Delivery> {
  return (effects[fault.type] as Effect<Fault["type"]>)(fault, scene);
}

function instead(scene: Scene, reply: WireReply): Delivery {
  const answer: Answer = { ...reply, how: "reply", provenance: "injected", assumption: undefined };
  scene.settle(answer);
  return answer;
}

function without(scene: Scene, how: "networkError" | "connectionRefused"): Delivery {
  scene.settle(undefined);
  return { how };
}
