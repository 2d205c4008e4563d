// Two calls and their spans: the first is retried after a 429, the second loses its response.

import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { createTraced } from "./tracing.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();

const store = createMockPlantStore();
const client = new PlantStoreClient(store.clientOptions);

store.inject(faults.rateLimited(0));
await createTraced(client, { id: 1, name: "Ginkgo biloba" });
store.inject(faults.lostResponse());
await createTraced(client, { id: 2, name: "Wollemia nobilis" });

const spans = exporter.getFinishedSpans();
for (const call of spans.filter(({ name }) => name === "createPlant")) {
  console.log(call.name, call.attributes);
  const attempts = spans.filter((span) => span.parentSpanContext?.spanId === call.spanContext().spanId);
  for (const { name, attributes } of attempts) console.log("-", name, attributes);
}

const [traceparent, call] = [store.requests.last?.headers.traceparent, spans.at(-1)?.spanContext()];
console.log(`the service knows the trace: ${traceparent === `00-${call?.traceId}-${call?.spanId}-01`}`);
await provider.shutdown();
