// The suite as a Worker: one request runs it.
import { runSuite } from "./suite.js";

export default {
  async fetch(request) {
    return Response.json(await runSuite(await request.json()));
  },
};
