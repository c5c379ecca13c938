// Types of the attacks in lab/abuse.ts.

/** The two halves of a signed-in session. */
export interface AbuseSession {
  /** Name and value, in Cookie header format. */
  readonly cookie: string
  readonly token: string
}

export interface Target {
  /** For example http://127.0.0.1:61000. */
  readonly address: string
  /** Data folder of the server. */
  readonly dataDir: string
  /** Accounts of the attackers, signed in. */
  readonly sessions: readonly AbuseSession[]
  /** Aborting it ends the attack. */
  readonly signal: AbortSignal
  /** Call when the attack has created its own accounts: measuring starts. */
  readonly begin: () => void
}

export type AttackCounts = Readonly<Record<string, string | number>>

/** Records the duration of a normal user's call; Infinity for a failed one. */
export type Note = (kind: string, ms: number) => void

export interface Observed {
  readonly address: string
  /** One of the normal users. */
  readonly session: AbuseSession
  readonly note: Note
  readonly signal: AbortSignal
}

/** All rounds of a run. */
export interface Figures {
  readonly rssRiseMb: number
  /** Kinds of calls by normal users. */
  readonly kinds: readonly string[]
  readonly quantile: (phase: 'quiet' | 'attacked', kind: string, share: number) => number
  readonly failed: (phase: 'quiet' | 'attacked', kind: string) => number
  /** Maximum of a count over all rounds. */
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
  /** Default number of attacker accounts. */
  readonly accounts: number
  /** Whether the attackers' accounts have premium; by default they are free. */
  readonly hasPremium?: boolean
  /** Environment variables of the server for this attack. */
  readonly environment?: Readonly<Record<string, string>>
  readonly goals: readonly Goal[]
  /** Runs in a separate process until the signal; resolves to its counts. */
  run(target: Target): Promise<AttackCounts>
  /** Additional calls by normal users that only matter here. */
  readonly observe?: (observed: Observed) => Promise<void>
}

/** Client addresses of attackers, so that limits by address do not affect the normal users. Linux accepts all of 127.0.0.0/8. */
export const attackerAddressOf = (index: number): string => `127.0.1.${(index % 250) + 1}`
