// A mailer that sends nothing: keeps the last mails in memory, for development and tests.
import type { Mail, Outbox } from './mailer.ts'

const mailsMax = 100

/** `show` is called for each mail. */
export function outbox(show: (mail: Mail) => void = () => {}): Outbox {
  const mails: Mail[] = []
  return {
    mails,
    send(mail) {
      mails.push(mail)
      if (mails.length > mailsMax) mails.shift()
      show(mail)
      return Promise.resolve()
    },
    close() {},
  }
}
