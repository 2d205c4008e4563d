// How each peer creates a list of plants within a limit. A strategy gets `post`, which rejects with `Limited` on 429, and
// settles when each plant is created or given up. Each may try as often as it wants, with 16 requests at once.
import { AdaptiveRetryStrategy } from "@smithy/util-retry";
import Bottleneck from "bottleneck";
import ky from "ky";
import PQueue from "p-queue";

const CONCURRENCY = 16;
const ATTEMPTS = 1_000;
const TOKEN = "0123456789abcdef0123456789abcdef";
/** The wait of a peer without a backoff of its own if the service names none. */
const UNKNOWN_WAIT_MS = 1_000;

class Limited extends Error {
  constructor(retryAfter) {
    super("429");
    this.retryAfterMs = retryAfter === null ? undefined : Number(retryAfter) * 1000;
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const poster = (baseUrl) => async (plant) => {
  const response = await fetch(`${baseUrl}/plants`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(plant),
  });
  const body = await response.json();
  if (response.status === 429) throw new Limited(response.headers.get("retry-after"));
  return body;
};

/** A number of loops over one iterator; a plant that fails is given up. */
async function pool(plants, create) {
  const iterator = plants.values();
  const loop = async () => {
    for (const plant of iterator) await create(plant).catch(() => {});
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
}

/** p-queue, as its readme pauses it: the queue stops at a 429, and the plant is first in line again. */
async function pausedQueue({ baseUrl, plants }) {
  const post = poster(baseUrl);
  const queue = new PQueue({ concurrency: CONCURRENCY });
  let resumeAt = 0;
  let timer;
  const create = async (plant) => {
    try {
      await post(plant);
    } catch (error) {
      void queue.add(() => create(plant), { priority: 1 });
      queue.pause();
      resumeAt = Math.max(resumeAt, Date.now() + (error.retryAfterMs ?? UNKNOWN_WAIT_MS));
      clearTimeout(timer);
      timer = setTimeout(() => queue.start(), resumeAt - Date.now());
    }
  };
  for (const plant of plants) void queue.add(() => create(plant));
  await queue.onIdle();
}

/** Bottleneck as octokit's throttling plugin uses it: a failed job is run again after Retry-After, the others go on. */
async function bottleneck({ baseUrl, plants }) {
  const post = poster(baseUrl);
  const limiter = new Bottleneck({ maxConcurrent: CONCURRENCY });
  limiter.on("failed", (error, { retryCount }) => {
    return retryCount < ATTEMPTS ? (error.retryAfterMs ?? UNKNOWN_WAIT_MS) : undefined;
  });
  await Promise.allSettled(plants.map((plant) => limiter.schedule(() => post(plant))));
}

/** ky with its own retries, over a pool. */
async function kyRetries({ baseUrl, plants }) {
  const api = ky.create({
    headers: { authorization: `Bearer ${TOKEN}` },
    retry: { limit: ATTEMPTS, methods: ["post"], statusCodes: [429], maxRetryAfter: Number.POSITIVE_INFINITY },
    timeout: false,
  });
  await pool(plants, (plant) => api.post(`${baseUrl}/plants`, { json: plant }).json());
}

/** The adaptive strategy of the AWS SDKs, driven as their middleware does, over a pool. */
async function awsAdaptive({ baseUrl, plants }) {
  const post = poster(baseUrl);
  const strategy = new AdaptiveRetryStrategy(ATTEMPTS);
  await pool(plants, async (plant) => {
    let token = await strategy.acquireInitialRetryToken("plants");
    for (;;) {
      try {
        await post(plant);
        strategy.recordSuccess(token);
        return;
      } catch (error) {
        const hint = error.retryAfterMs === undefined ? undefined : new Date(Date.now() + error.retryAfterMs);
        token = await strategy.refreshRetryTokenForRetry(token, { errorType: "THROTTLING", retryAfterHint: hint });
        await sleep(token.getRetryDelay());
      }
    }
  });
}

async function ours({ baseUrl, plants, dist }) {
  const { createPlants, PlantStoreClient } = await import(dist);
  const client = new PlantStoreClient({ baseUrl, token: TOKEN });
  for await (const result of createPlants(client, plants)) if (!result.ok) console.error(result.error);
}

export const STRATEGIES = { pausedQueue, bottleneck, kyRetries, awsAdaptive, ours };
