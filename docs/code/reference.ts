import { errorSchema, plantSchema } from "plant-store-client";

// #region plantSchema
const plant = plantSchema["~standard"].validate({ name: "Ficus lyrata", tag: 7 });
console.log(plant.issues); // [ { path: [ 'tag' ], message: 'must be a string, not 7' } ]
// #endregion plantSchema

// #region errorSchema
const body = errorSchema["~standard"].validate({ error: 17, message: "no such tag" });
console.log(body.issues === undefined); // true
// #endregion errorSchema
