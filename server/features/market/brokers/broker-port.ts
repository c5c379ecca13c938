// The ports of users' own brokers: the stored connections, the login at Zerodha, and the check of an OpenAlgo instance.
import type { BrokerName } from '#shared/brokers/contract.ts'

export type BrokerCredentials =
  | { readonly broker: 'kite'; readonly apiKey: string; readonly accessToken: string }
  /** `url` is the base address, without a slash at its end. */
  | { readonly broker: 'openalgo'; readonly url: string; readonly apiKey: string }

/** A connection that works as far as is known. */
export interface BrokerAccount {
  readonly broker: BrokerName
  /** Another value means other credentials. */
  readonly version: string
  readonly credentials: BrokerCredentials
  /** When the broker ends the session, epoch milliseconds; null where it does not. */
  readonly expiresAtMs: number | null
}

export interface BrokerAccounts {
  /** The connection of a user; undefined where there is none that works. */
  find(userId: string): Promise<BrokerAccount | undefined>
  /** Notes that the broker accepts these credentials no longer. */
  refused(userId: string, version: string): Promise<void>
}

export interface KiteApp {
  readonly apiKey: string
  readonly apiSecret: string
}

export interface KiteLogin {
  /** Where the user signs in; Zerodha sends `state` back with the request token. */
  urlOf(apiKey: string, state: string): string
  /** The access token of a day, or why there is none. */
  exchange(app: KiteApp, requestToken: string): Promise<{ readonly accessToken: string } | 'refused' | 'unreachable'>
}

/** `key` is a key that it does not accept, `unreachable` an address where nothing answers as OpenAlgo does. */
export type OpenAlgoCheck = (url: string, apiKey: string) => Promise<'ok' | 'key' | 'unreachable'>
