// Mails about changes of second factors, to confirmed addresses only: an unconfirmed one may belong to a stranger.
import type { BackgroundMails } from '#server/mail/background-mails.ts'
import { defaultLanguage, mailTexts } from '#server/mail/mail-texts.ts'
import { mailTime } from '#server/mail/mail-time.ts'
import type { RemovedBy } from '#shared/text/en/factor-mails.ts'

interface Recipient {
  readonly name: string
  readonly email: string
  readonly email_confirmed_at: Date | null
}

export interface FactorMailsDeps {
  readonly mails: BackgroundMails
  readonly brandName: string
  readonly now: () => number
}

/** The name of `factor` is part of the sentence. */
export function factorMails({ mails, brandName: brand, now }: FactorMailsDeps) {
  function send(to: Recipient, { subject, text }: { readonly subject: string; readonly text: readonly string[] }): void {
    if (to.email_confirmed_at !== null) mails.send({ to: to.email, subject, text: text.join('\n\n') })
  }
  const factsOf = ({ name }: Recipient, address: string) => ({ brand, name, at: mailTime(now()), address })
  const words = mailTexts(defaultLanguage)
  return {
    added: (to: Recipient, factor: string, address: string) => send(to, words.added({ ...factsOf(to, address), factor })),
    removed: (to: Recipient, factor: string, by: RemovedBy) => send(to, words.removed({ brand, name: to.name, factor, by })),
    codesMade: (to: Recipient, address: string) => send(to, words.codesMade(factsOf(to, address))),
  }
}
