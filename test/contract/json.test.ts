import { expect, test } from "vitest";
import { encodeNewPlant } from "../../src/contract/json.ts";

test("each of the UTF-16 code units survives", () => {
  const survives = (text: string) =>
    encodeNewPlant({ id: 1, name: text }) === `{"id":1,"name":${JSON.stringify(text)}}` &&
    encodeNewPlant({ id: 1, name: "Aloe", tag: text }) === `{"id":1,"name":"Aloe","tag":${JSON.stringify(text)}}`;
  const lost = Array.from({ length: 0x10000 }, (_, code) => code).filter(
    (code) => !survives(String.fromCharCode(code)),
  );
  expect(lost).toEqual([]);
});
