// Fake Zerodha and OpenAlgo for an app under test, and users who connect them.
import { onTestFinished } from 'vitest'
import { hourMs } from '#shared/base/durations.ts'
import { kiteLoginFake, type KiteLoginFake } from '#server/features/market-data/feeds/testing/fake-kite-login-server.ts'
import { manualClock } from '#server/features/market-data/feeds/testing/manual-clock.ts'
import { openAlgoDialect } from '#server/features/market-data/feeds/testing/fake-openalgo-server.ts'
import type { Dialect } from '#server/features/market-data/feeds/testing/dialect.ts'
import { scriptedExchange, type ScriptedExchange } from '#server/features/market-data/feeds/testing/scripted-exchange.ts'
import { makeTrades } from '#server/features/market-data/feeds/testing/expected-candles.ts'
import type { BrokerSettings } from '#server/open-market.ts'
import { startMs, type TestApp } from './app.ts'
import { addMember, type Member } from './subscriptions.ts'

/** Apps at Zerodha: secrets by key. */
export const kiteApps = { 'app-of-asha': 'secret-of-asha', 'app-of-ravi': 'secret-of-ravi' } as const

export interface FakeBrokers {
  readonly kite: ScriptedExchange
  readonly kiteLogin: KiteLoginFake
  readonly openAlgo: ScriptedExchange
  /** For the app under test. */
  readonly settings: Partial<BrokerSettings>
}

async function exchangeOf(dialect: Dialect, price: number): Promise<ScriptedExchange> {
  const span = { fromMs: startMs - 2 * hourMs, toMs: startMs + hourMs, sessionClass: 'nse-equity', sizeStep: 1 } as const
  const trades = { 'NSE:RELIANCE': makeTrades({ ...span, price, seed: 5 }) }
  const exchange = await scriptedExchange({ dialect, clock: manualClock(startMs), trades })
  onTestFinished(() => exchange.close())
  return exchange
}

/** Both brokers, with trades of RELIANCE; closed at the end of the test. */
export async function fakeBrokers(): Promise<FakeBrokers> {
  const kiteLogin = kiteLoginFake(kiteApps)
  const kite = await exchangeOf(kiteLogin.dialect, 1440)
  const openAlgo = await exchangeOf(openAlgoDialect, 2000)
  const kiteUrls = { restUrl: kite.restUrl, socketUrl: kite.socketUrl, loginUrl: 'https://kite.test/connect/login' }
  return { kite, kiteLogin, openAlgo, settings: { kiteUrls, hosts: new Set([new URL(openAlgo.restUrl).host]) } }
}

/** A signed-in premium user. */
export function addPremium(server: TestApp): Promise<Member> {
  const [start, end] = [new Date('2026-11-01T00:00:00Z'), new Date('2027-11-20T06:00:00Z')]
  return addMember(server, { status: 'paid', premium_start: start, premium_end: end })
}

/** The state that Zerodha must return, from the login page URL. */
export function loginStateOf(loginUrl: string): string {
  const params = new URLSearchParams(new URL(loginUrl).searchParams.get('redirect_params') ?? '')
  return params.get('state') ?? ''
}

/** Connects a user's Zerodha account through the API. */
export async function connectKite({ browser }: Member, { kiteLogin }: FakeBrokers, apiKey: keyof typeof kiteApps): Promise<void> {
  const { data } = await browser.client.brokers.connectKite({ body: { apiKey, apiSecret: kiteApps[apiKey] } })
  const body = { requestToken: kiteLogin.signIn(apiKey), state: loginStateOf(data.loginUrl) }
  await browser.client.brokers.finishKite({ body })
}
