// Connections to hosts that users give, through a proxy: resolved and checked here, and the proxy asked for the checked address.
import { Agent, type RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'

/** The proxy would resolve a name by itself, perhaps to an address of the operator's network. */
export class CheckedProxyAgent extends Agent {
  readonly #lookup: LookupFunction

  /** @param lookup fails for names whose addresses must not be called */
  constructor(proxyUrl: string, options: { readonly maxSockets: number; readonly lookup: LookupFunction }) {
    super({ keepAlive: false, maxSockets: options.maxSockets, proxyEnv: { HTTPS_PROXY: proxyUrl } })
    this.#lookup = options.lookup
  }

  override createConnection(options: RequestOptions, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    // The proxy itself is the operator's.
    const { lookup: _lookup, ...rest } = options
    const name = options.host ?? ''
    this.#lookup(name, {}, (error, address) => {
      if (error === null && typeof address === 'string') super.createConnection({ ...rest, host: address }, callback)
      // As Node's agents do: no stream beside an error.
      else (callback as ((error: Error) => void) | undefined)?.(error ?? new Error('no address'))
    })
  }
}
