// A mailer that sends nothing: keeps the last mails in memory, for development and tests.
import type { Mail, MemoryMailer } from './mailer.ts'

const mailsMax = 100

/** `show` is called for each mail. */
export function memoryMailer(show: (mail: Mail) => void = () => {}): MemoryMailer {
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
