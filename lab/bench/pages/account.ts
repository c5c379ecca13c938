// A user of the measured server, signed in through the API.
import { noticeVersion } from '../../../shared/privacy/notice-version.ts'

export interface Pair {
  /** Value of the session cookie. */
  readonly cookie: string
  readonly token: string
}

/** @throws Error with the server's answer if it is denied */
export async function signUp(origin: string): Promise<Pair> {
  const [email, password] = ['pages@tezi.example', 'Kesar-Chai-Kesar-42']
  const name = { name: 'Asha Rao', phone: '9876543210', confirmPassword: password, consent: { isAdult: true, noticeVersion } }
  const up = await post(origin, '/auth/sign-up', { email, password, ...name })
  if (!up.ok) throw new Error(`The sign-up answered ${up.status}: ${await up.text()}`)
  const answer = await post(origin, '/auth/sign-in', { email, password })
  const { data } = (await answer.json()) as { data: { sessionToken: string } }
  const cookie = /tezi_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
  if (cookie === undefined) throw new Error(`The sign-in answered ${answer.status} without a cookie`)
  return { cookie, token: data.sessionToken }
}

function post(origin: string, path: string, body: object): Promise<Response> {
  return fetch(`${origin}/api/v1${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}
