/** Expects the 503 of a backend that cannot check a login. @returns its reason, which is for the log */
export async function reasonOfUnavailable(backend: string, login: Promise<unknown>): Promise<string> {
  const fault = await login.then(
    (value) => new Error(`not refused: ${String(value)}`),
    (error: Error & { status?: number }) => error,
  );
  expect(fault).toMatchObject({
    status: 503,
    message: `The authentication backend "${backend}" cannot check passwords at the moment. Try again later.`,
  });
  return (fault.cause as Error).message;
}
