// Privacy notice; separate from the other privacy texts, so that only the pages that show it load it.
import { texts } from '#shared/text/texts.ts'

export const privacyNoticeText = texts('privacyNotice', {
  title: 'Privacy notice',
  versionOf: (version: string) => `Notice of ${version}`,
  intro: (brand: string) =>
    `This notice says which personal data ${brand} keeps about you, why, for how long, and what you can do about it. It is separate from any terms of use, and you agree to it with a box of its own.`,
  itemsTitle: 'What we keep, and why',
  itemsHead: ['Data', 'Why we need it', 'How long'],
  items: [
    ['Full name, email, phone number', 'To run your account, to tell accounts apart, and to answer you', 'Until you erase the account'],
    ['Password, as a hash that cannot be read back', 'To check that it is you who signs in', 'Until you change it or erase the account'],
    [
      'Two-factor sign-in: app key, recovery code hashes, passkeys',
      'To check that it is you who signs in',
      'Until you delete them or erase the account',
    ],
    [
      'Your own broker, if you connect one: app key, secret and session, encrypted, or the address and encrypted key of OpenAlgo',
      'To show you, and no other user, live prices from your broker',
      'Until you disconnect it or erase the account, or seven days after premium ends; a login that is not finished one day',
    ],
    ['Chart settings', 'To show the charts as you left them', 'Until you erase the account'],
    [
      'Workspace: favourites, layouts, last chart and its look, inputs of studies, the alarm',
      'To show the charts as you left them, on every device',
      'Until you change it or erase the account',
    ],
    [
      'Drawings on the charts, and what you write there',
      'To show them to you on every device',
      'Until you delete them or erase the account',
    ],
    [
      'Subscription: plan, months, dates, status and its history',
      'To give you what you paid for',
      'With the account; then without your name for the accounting period',
    ],
    [
      'Payment reference (UTR or Order ID), amount, decision',
      'To find your payment, and for the books',
      'Eight financial years after the year of the payment; the reference itself for good, so that it cannot be used again',
    ],
    [
      'Sign-ins: time, network address, browser',
      'To protect accounts, and to find out about misuse',
      'One year, also after the account is erased, then under a bare number instead of your name',
    ],
    [
      'Log of security and admin acts on your account',
      'To show who did what',
      'With the account; then under a pseudonym, with the address made unreadable',
    ],
    ['Record of your consent: which notice, when', 'To prove it', 'With the account, then nine years under a bare number'],
    ['Open tabs', 'To count who is online', 'About a minute and a half'],
    ['Counters of failed sign-ins', 'To stop guessing', 'At most two hours'],
    [
      'A cookie on your device with the number of your account, after you have signed in there',
      'To let you in while others try passwords on your account',
      '180 days after the last sign-in, only on your device',
    ],
    ['Links for a forgotten password, as a hash', 'To let you back in', 'Half an hour'],
    ['Links that confirm an email address, as a hash, with the address', 'To be sure that mail reaches you', '24 hours'],
    [
      'Reports of errors in your browser, with names, emails, numbers and addresses masked',
      'To find and fix errors',
      'As long as the server log',
    ],
    ['Answers to calls that may be sent twice', 'So that a repeated call takes effect once', 'One day'],
    [
      'Encrypted backups of all of this',
      'To bring the service back after a failure',
      'At most 35 days. If a backup is restored, accounts that were erased since are erased again',
    ],
  ],
  notTitle: 'What we do not do',
  not: [
    'We do not sell or rent personal data, and there is no advertising and no tracking on these pages.',
    'We never see your bank account, card or wallet: you pay in your own app and send us the reference.',
    'From a broker that you connect we read prices and nothing else: no orders, holdings or balances. We keep none of these prices. The broker sees which instruments you look at and the address of our server.',
    'The chart provider gets the instrument, the timeframe and your time zone, and as in any visit to a website your network address. It gets no name, no email and no account number.',
  ],
  rightsTitle: 'Your rights',
  rights: [
    'Access and portability: the account page gives you everything that we keep about you as one file.',
    'Correct: write to support, and we correct or complete your name or phone number. Your email you change on the account page, or with support.',
    'Withdraw your consent: one click and a confirmation on the account page. Charts and premium close at once, because we cannot run an account without its data, and the account is erased after 30 days unless you agree again.',
    'Erase: the account page erases the account at once, with your password.',
    'Name a person who may act for you if you die or cannot act: write to support.',
    'Complain: write to support first; we answer within 30 days. If you are not content, you can turn to the Data Protection Board of India.',
  ],
  adultTitle: 'Age',
  adultText:
    'The service is for people who are 18 or older. You state your age when you agree. If we learn that an account belongs to a younger person, we erase it.',
  contactTitle: 'Contact and breaches',
  contactText: 'Questions about your data, and anything that looks like a breach, go to our support channel.',
  breachText:
    'If personal data is breached, we notify everyone affected and the Data Protection Board of India without delay, and send the Board the details within 72 hours.',
  contactLink: 'Write to support',
})
