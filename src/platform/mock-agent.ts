/** Whether a dispatcher is one of undici's mocks. They can fail a request without calling the hook. */
export function isMock(dispatcher: object): boolean {
  return "isMockActive" in dispatcher || "intercept" in dispatcher;
}
