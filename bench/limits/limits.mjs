// The limits as models: `admit(now)` returns undefined, or the seconds for which the client is to wait; `leave` ends a request.
const MODELS = { bucket, window: fixedWindow, concurrent };

export function createLimit({ kind, ...options }) {
  return MODELS[kind](options);
}

function bucket({ burst, rates }) {
  let tokens = burst;
  let first;
  let last;
  const rateAt = (elapsed) => {
    let end = 0;
    return rates.find(({ forMs }) => {
      end += forMs ?? Number.POSITIVE_INFINITY;
      return elapsed < end;
    }).perSecond;
  };
  return {
    admit(now) {
      first ??= now;
      const perSecond = rateAt(now - first);
      tokens = Math.min(burst, tokens + ((now - (last ?? now)) * perSecond) / 1000);
      last = now;
      if (tokens < 1) return { retryAfter: Math.ceil((1 - tokens) / perSecond) };
      tokens--;
    },
    leave() {},
  };
}

function fixedWindow({ quota, windowMs }) {
  let start = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    admit(now) {
      if (now - start >= windowMs) {
        start = now;
        count = 0;
      }
      if (count === quota) return { retryAfter: Math.ceil((start + windowMs - now) / 1000) };
      count++;
    },
    leave() {},
  };
}

function concurrent({ max }) {
  let count = 0;
  return {
    admit() {
      if (count === max) return {};
      count++;
    },
    leave() {
      count--;
    },
  };
}
