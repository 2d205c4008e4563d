import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Attempt, CreatePlantOptions, CreatePlantResult, NewPlant, PlantCreator } from "plant-store-client";

const tracer = trace.getTracer("plants");

/** One span for each attempt, below the span of its call. */
function traceAttempt(attempt: Attempt, call: Context): void {
  const { number, startedAt, durationMs, status, code, reason } = attempt;
  const attributes = { "http.request.method": "POST" };
  const options = { kind: SpanKind.CLIENT, startTime: startedAt, attributes };
  const span = tracer.startSpan("POST /plants", options, call);
  if (number > 1) span.setAttribute("http.request.resend_count", number - 1);
  if (status !== undefined) span.setAttribute("http.response.status_code", status);
  if (reason !== "ok") fail(span, code ?? (reason === "status" ? String(status) : reason));
  span.end(startedAt + durationMs);
}

/** One span for the whole call, with its waits and retries. The service receives it as `traceparent`. */
export function createTraced(
  client: PlantCreator,
  plant: NewPlant,
  options?: CreatePlantOptions,
): Promise<CreatePlantResult> {
  return tracer.startActiveSpan("createPlant", async (span) => {
    const call = context.active();
    const headers: Record<string, string> = {};
    propagation.inject(call, headers);
    // An option of the call, so that each attempt belongs to its call without an asynchronous context.
    const onAttempt = (attempt: Attempt) => traceAttempt(attempt, call);
    const result = await client.tryCreatePlant(plant, { ...options, headers, onAttempt });
    if (!result.ok) {
      span.setAttribute("plant.outcome", result.error.outcome);
      fail(span, result.error.kind);
    }
    span.end();
    return result;
  });
}

function fail(span: Span, type: string): void {
  span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
}
