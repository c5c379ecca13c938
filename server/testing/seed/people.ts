// The users of the seeded database: forty in every state, and their actions by days before now.
import type { PlanType } from '#shared/plans/plan.ts'
import { seededRandom } from '#shared/base/seeded-random.ts'

/** Of every seeded account, temporary ones included. */
export const seedPassword = 'Chart-Chai-2026'
export const seedDomain = 'demo.example'
export const seedAdminEmail = `admin@${seedDomain}`

/** An action of a user or an admin, and how many days before now. */
export type Step =
  | { readonly do: 'submit'; readonly daysAgo: number; readonly plan: PlanType; readonly reference: string }
  | { readonly do: 'accept' | 'decline' | 'suspend' | 'withdraw' | 'wrong-password' | 'reset-password'; readonly daysAgo: number }
  | { readonly do: 'months'; readonly daysAgo: number; readonly months: number }
  /** Signs in and arranges charts. */
  | { readonly do: 'use'; readonly daysAgo: number; readonly hasDrawings: boolean }

export interface Person {
  readonly state: string
  readonly email: string
  readonly name: string
  readonly phone: string
  readonly joinedDaysAgo: number
  readonly hasConsent: boolean
  readonly steps: readonly Step[]
}

type Act = readonly [Step['do'], daysAgo: number, detail?: PlanType | number | undefined]

interface Group {
  readonly state: string
  readonly count: number
  readonly joined: number
  readonly hasConsent?: false
  readonly acts: readonly Act[]
}

/** A term of the regular plan lasts three months, of the crypto plan one. */
const groups: readonly Group[] = [
  { state: 'free', count: 6, joined: 45, acts: [] },
  { state: 'free-active', count: 2, joined: 30, acts: [['use', 1]] },
  { state: 'pending', count: 4, joined: 9, acts: [['submit', 1, 'regular']] },
  { state: 'pending-crypto', count: 2, joined: 12, acts: [['submit', 2, 'crypto']] },
  {
    state: 'renewal-pending',
    count: 2,
    joined: 90,
    acts: [
      ['submit', 81, 'regular'],
      ['accept', 80],
      ['submit', 2, 'regular'],
    ],
  },
  {
    state: 'paid',
    count: 4,
    joined: 60,
    acts: [
      ['submit', 41, 'regular'],
      ['accept', 40],
      ['use', 3],
    ],
  },
  {
    state: 'paid-crypto',
    count: 1,
    joined: 20,
    acts: [
      ['submit', 11, 'crypto'],
      ['accept', 10],
    ],
  },
  {
    state: 'paid-expiring',
    count: 2,
    joined: 100,
    acts: [
      ['submit', 87, 'regular'],
      ['accept', 86],
    ],
  },
  {
    state: 'paid-renewed',
    count: 1,
    joined: 300,
    acts: [
      ['submit', 221, 'regular'],
      ['accept', 220],
      ['submit', 136, 'regular'],
      ['accept', 135],
      ['submit', 61, 'regular'],
      ['decline', 60],
      ['submit', 59, 'regular'],
      ['accept', 58],
    ],
  },
  {
    state: 'paid-months',
    count: 1,
    joined: 70,
    acts: [
      ['submit', 31, 'regular'],
      ['accept', 30],
      ['months', 25, 6],
    ],
  },
  {
    state: 'expired',
    count: 5,
    joined: 200,
    acts: [
      ['submit', 151, 'regular'],
      ['accept', 150],
    ],
  },
  {
    state: 'suspended',
    count: 3,
    joined: 80,
    acts: [
      ['submit', 61, 'regular'],
      ['accept', 60],
      ['wrong-password', 21],
      ['suspend', 20],
    ],
  },
  {
    state: 'declined',
    count: 3,
    joined: 25,
    acts: [
      ['submit', 15, 'crypto'],
      ['decline', 14],
    ],
  },
  { state: 'consent-missing', count: 1, joined: 350, hasConsent: false, acts: [] },
  { state: 'consent-withdrawn', count: 1, joined: 120, acts: [['withdraw', 6]] },
  { state: 'temporary-password', count: 1, joined: 15, acts: [['reset-password', 0.1]] },
  {
    state: 'temporary-password-paid',
    count: 1,
    joined: 50,
    acts: [
      ['submit', 45, 'regular'],
      ['accept', 44],
      ['reset-password', 0.05],
    ],
  },
]

const firstNames = [
  'Asha',
  'Ravi',
  'Priya',
  'Arjun',
  'Meera',
  'Kabir',
  'Divya',
  'Rohan',
  'Neha',
  'Vikram',
  'आरव',
  'Lakshmi',
  'Imran',
  'Sunita',
]
const lastNames = ['Sharma', 'Rao', 'Patel', 'Iyer', 'Singh', 'Das', 'Nair', 'Gupta', 'Khan', 'Joshi', 'Mehta']

/** Deterministic for a seed. */
export function seedPeople(seed = 42): readonly Person[] {
  const random = seededRandom(seed)
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
  const step = ([kind, daysAgo, detail]: Act): Step => {
    if (kind === 'submit') {
      const plan = detail === 'crypto' ? 'crypto' : 'regular'
      return { do: kind, daysAgo, plan, reference: plan === 'crypto' ? `2${digits(17)}` : `6${digits(11)}` }
    }
    if (kind === 'months') return { do: kind, daysAgo, months: Number(detail) }
    return kind === 'use' ? { do: kind, daysAgo, hasDrawings: random() < 0.5 } : { do: kind, daysAgo }
  }
  return groups.flatMap(({ state, count, joined, hasConsent = true, acts }) =>
    Array.from({ length: count }, (_, at): Person => {
      // Users of one group act on the same day, but not in the same second.
      const shift = random() * 0.01 + at * 0.02
      return {
        state,
        email: `${state}-${at + 1}@${seedDomain}`,
        name: `${pick(firstNames)} ${pick(lastNames)}`,
        phone: `9${digits(9)}`,
        joinedDaysAgo: joined + shift,
        hasConsent,
        steps: acts.map(([kind, daysAgo, detail]) => step([kind, daysAgo - shift * Math.min(1, daysAgo), detail])),
      }
    }),
  )
}
