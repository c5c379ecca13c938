// The ports of users' own brokers: the stored connections, the login at Zerodha, and the check of an OpenAlgo instance.
import type { BrokerName } from '#shared/brokers/contract.ts'

export type BrokerCredentials =
  | { readonly broker: 'kite'; readonly apiKey: string; readonly accessToken: string }
  /** Base URL without a trailing slash. */
  | { readonly broker: 'openalgo'; readonly url: string; readonly apiKey: string }

/** A usable connection: not rejected by the broker so far. */
export interface BrokerAccount {
  readonly broker: BrokerName
  /** Changes when the credentials change. */
  readonly version: string
  readonly credentials: BrokerCredentials
  /** When the broker ends the session, epoch milliseconds; null if it does not. */
  readonly expiresAtMs: number | null
}

export interface BrokerAccounts {
  /** The usable connection of a user, if any. */
  find(userId: string): Promise<BrokerAccount | undefined>
  /** Records that the broker no longer accepts these credentials. */
  refused(userId: string, version: string): Promise<void>
}

export interface KiteApp {
  readonly apiKey: string
  readonly apiSecret: string
}

export interface KiteLogin {
  /** Login page URL; Zerodha returns `state` together with the request token. */
  urlOf(apiKey: string, state: string): string
  /** Exchanges the request token for the access token of the day, or the reason for the failure. */
  exchange(app: KiteApp, requestToken: string): Promise<{ readonly accessToken: string } | 'refused' | 'unreachable'>
}

/** `key`: the API key is not accepted. `unreachable`: no OpenAlgo instance responds at this URL. */
export type OpenAlgoCheck = (url: string, apiKey: string) => Promise<'ok' | 'key' | 'unreachable'>
