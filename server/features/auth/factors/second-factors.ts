// Combines the two halves of second factors: the sign-in step, and the account's factors.
import { backgroundMails } from '#server/mail/background-mails.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { AuthService } from '../service.ts'
import { FactorService, type FactorDeps } from './factor-service.ts'
import { PasskeyService } from './passkey-service.ts'
import { SecondFactorService } from './sign-in-challenge.ts'

interface SecondFactorDeps extends Omit<FactorDeps, 'mails'> {
  readonly auth: Pick<AuthService, 'completeSignIn'>
  readonly mailer: Mailer | undefined
  readonly deviceKey: Buffer
  /** Public origin; undefined disables passkeys. */
  readonly origin: string | undefined
}

export type SecondFactors = ReturnType<typeof secondFactors>

export function secondFactors({ mailer, origin, ...deps }: SecondFactorDeps) {
  const mails = backgroundMails(mailer, deps.onError)
  const ofAccount = new FactorService({ ...deps, mails })
  const passkeys = new PasskeyService({ ...deps, factors: ofAccount, origin })
  return {
    atSignIn: new SecondFactorService({ ...deps, passkeys }),
    ofAccount,
    passkeys,
    /** Resolves when pending mails are sent. */
    settle: () => mails.settle(),
  }
}
