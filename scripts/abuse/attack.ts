// What every attack of scripts/abuse.ts is.

/** The two halves of a signed-in session. */
export interface AbuseSession {
  /** Name and value, as a Cookie header has them. */
  readonly cookie: string
  readonly token: string
}

export interface Target {
  /** Such as http://127.0.0.1:61000. */
  readonly address: string
  /** Free accounts of the attackers, signed in. */
  readonly sessions: readonly AbuseSession[]
  /** The attack ends with it. */
  readonly signal: AbortSignal
  /** To be called when the accounts that the attack makes itself are there: measuring begins. */
  readonly begin: () => void
}

export type AttackCounts = Readonly<Record<string, string | number>>

/** Notes how long a call of an honest user took; one that failed took infinitely long. */
export type Note = (kind: string, ms: number) => void

export interface Observed {
  readonly address: string
  readonly note: Note
  readonly signal: AbortSignal
}

/** All rounds of a run together. */
export interface Figures {
  readonly rssRiseMb: number
  /** Kinds of calls of honest users. */
  readonly kinds: readonly string[]
  readonly quantile: (phase: 'quiet' | 'attacked', kind: string, share: number) => number
  readonly failed: (phase: 'quiet' | 'attacked', kind: string) => number
  /** The largest of a count over all rounds. */
  readonly most: (count: string) => number
}

export interface Goal {
  readonly text: string
  readonly max: number
  readonly figureOf: (figures: Figures) => number
}

export interface Attack {
  /** One sentence. */
  readonly summary: string
  /** Accounts of the attackers, unless the caller says otherwise. */
  readonly accounts: number
  /** Variables that the server needs for it. */
  readonly environment?: Readonly<Record<string, string>>
  readonly goals: readonly Goal[]
  /** Runs in a process of its own until the signal; resolves with what it counted. */
  run(target: Target): Promise<AttackCounts>
  /** What honest users do beside it that only matters here. */
  readonly observe?: (observed: Observed) => Promise<void>
}

/** Where attackers call from, so that limits by address do not meet the honest users. Linux answers to all of 127.0.0.0/8. */
export const attackerAddressOf = (index: number): string => `127.0.1.${(index % 250) + 1}`
