// An account on a server under load, signed in.

/** Signs up and in; returns the session headers. */
export async function signIn(url: string): Promise<{ headers: Record<string, string>; user: unknown }> {
  const account = {
    name: 'Asha Rao',
    email: 'asha@example.in',
    phone: '9876543210',
    password: 'Kesar-Chai-42',
    confirmPassword: 'Kesar-Chai-42',
  }
  const post = (route: string) =>
    fetch(`${url}/api/v1/auth/${route}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(account) })
  await post('sign-up')
  const answer = await post('sign-in')
  const { data } = (await answer.json()) as { data: { sessionToken: string; user: unknown } }
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { headers: { cookie, 'session-token': data.sessionToken }, user: data.user }
}
