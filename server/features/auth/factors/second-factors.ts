// Puts the two halves of second factors together: the step at sign-in, and what an account has.
import { backgroundMails } from '#server/mail/background-mails.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { AuthService } from '../service.ts'
import { factorService, type FactorDeps } from './factor-service.ts'
import { passkeyService } from './passkey-service.ts'
import { secondFactorService } from './sign-in-challenge.ts'

interface SecondFactorDeps extends Omit<FactorDeps, 'mails'> {
  readonly auth: Pick<AuthService, 'completeSignIn'>
  readonly mailer: Mailer | undefined
  readonly deviceKey: Buffer
  /** Where browsers reach the site; undefined where that is not configured, and there are no passkeys. */
  readonly origin: string | undefined
}

export type SecondFactors = ReturnType<typeof secondFactors>

export function secondFactors({ mailer, origin, ...deps }: SecondFactorDeps) {
  const mails = backgroundMails(mailer, deps.onError)
  const ofAccount = factorService({ ...deps, mails })
  const passkeys = passkeyService({ ...deps, own: ofAccount.own, origin })
  return {
    atSignIn: secondFactorService({ ...deps, passkeys }),
    ofAccount,
    passkeys,
    /** Resolves when the mails under way have left. */
    settle: () => mails.settle(),
  }
}
