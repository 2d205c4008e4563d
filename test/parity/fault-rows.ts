import { type Fault, faults } from "plant-store-client/mock";

/** One fault of each type, as the parity table uses it. */
export const examples: { readonly [Type in Fault["type"]]: Fault } = {
  apiError: faults.apiError(17, "the greenhouse is full"),
  reply: faults.reply({ status: 500, headers: { "Content-Type": "text/html" }, body: "<h1>Oops</h1>" }),
  rateLimited: faults.rateLimited(1),
  delay: faults.delay(20),
  hang: faults.hang(),
  networkError: faults.networkError(),
  connectionRefused: faults.connectionRefused(),
  lostResponse: faults.lostResponse(),
  truncatedBody: faults.truncatedBody(),
  stalledBody: faults.stalledBody(),
};

/** The types in the order of the table. */
export const types = Object.keys(examples) as Fault["type"][];
