// A browser that calls a test app: cookie jar and session token.
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { api } from '#shared/api.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { apiErrorFrom } from '#shared/http/api-error.ts'
import {
  wireRequestOf,
  type CallArguments,
  type ReplyOf,
  type Route,
  type Routes,
  type WireReply,
  type WireRequest,
} from '#shared/http/route.ts'
import type { TestSession } from './insert-session.ts'

export interface Browser {
  /** Calls every route of the contract by feature and name, for example `client.users.me()`. */
  readonly client: Client<typeof api>
  readonly cookies: Map<string, string>
  sessionToken: string | undefined
  /** One raw call; keeps cookies, and sends the token if there is one. */
  send(call: RawCall): Promise<LightMyRequestResponse>
  /** Signs in through the API with a password; without one by an inserted session. */
  signIn(email: string, password?: string): Promise<void>
}

export interface RawCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly payload?: string
  readonly headers?: Record<string, string>
}

export type OpenSession = (email: string, address: string) => Promise<TestSession & { readonly cookieName: string }>

/** A browser without a session; `openSession` signs it in without a password. */
export function browser(app: FastifyInstance, address: string, openSession: OpenSession): Browser {
  const cookies = new Map<string, string>()
  const self: Browser = {
    cookies,
    sessionToken: undefined,
    async send(call) {
      const answer = await app.inject({
        method: call.method as 'GET',
        url: call.path,
        remoteAddress: address,
        headers: {
          ...(self.sessionToken === undefined ? {} : { 'session-token': self.sessionToken }),
          ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(call.payload === undefined ? {} : { payload: call.payload }),
        ...(call.body === undefined ? {} : { payload: JSON.stringify(call.body) }),
      })
      for (const cookie of answer.cookies) {
        if (cookie.value === '') cookies.delete(cookie.name)
        else cookies.set(cookie.name, cookie.value)
      }
      return answer
    },
    async signIn(email, password) {
      if (password === undefined) {
        const session = await openSession(email, address)
        cookies.set(session.cookieName, session.cookie)
        self.sessionToken = session.sessionToken
        return
      }
      const reply = await self.client.auth.signIn({ body: { email, password } })
      if (!reply.success) throw new Error(reply.message)
      self.sessionToken = reply.data.sessionToken
    },
    client: clientOf(api, async (request) => {
      const answer = await self.send(request)
      const retryAfter = answer.headers['retry-after']
      return {
        status: answer.statusCode,
        body: parseJson(answer.body) ?? answer.body,
        retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
      }
    }),
  }
  return self
}

type Client<Api extends Readonly<Record<string, Routes>>> = {
  readonly [Feature in keyof Api]: {
    readonly [Name in keyof Api[Feature]]: (
      ...input: CallArguments<Api[Feature][Name] & Route>
    ) => Promise<ReplyOf<Api[Feature][Name] & Route>>
  }
}

function clientOf<const Api extends Readonly<Record<string, Routes>>>(
  features: Api,
  send: (request: WireRequest) => Promise<WireReply>,
): Client<Api> {
  const call = async (route: Route, input?: object): Promise<unknown> => {
    const response = await send(wireRequestOf(route, input))
    if (response.status >= 400) throw apiErrorFrom(response)
    return route.reply.parse(response.body)
  }
  const callsOf = (routes: Routes) => Object.entries(routes).map(([name, route]) => [name, (input?: object) => call(route, input)] as const)
  return Object.fromEntries(
    Object.entries(features).map(([feature, routes]) => [feature, Object.fromEntries(callsOf(routes))]),
  ) as unknown as Client<Api>
}
