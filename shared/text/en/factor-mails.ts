// Texts of emails about second factors.
const removedBy = {
  owner: 'It was removed on the account page.',
  admin: 'Support removed all its methods and ended all sessions.',
} as const

/** Who removed a factor. */
export type RemovedBy = keyof typeof removedBy

export interface About {
  readonly brand: string
  readonly name: string
}

export interface Made extends About {
  readonly at: string
  readonly address: string
}

export const factorMailText = {
  added: ({ brand, name, factor, at, address }: Made & { factor: string }) => ({
    subject: `${brand}: ${factor} added`,
    text: [
      `Hello ${name},`,
      `a second step was added to the sign-in of your ${brand} account: ${factor}.`,
      `${at}\nNetwork address ${address}`,
      'If this was not you, change your password now, remove it on your account page and contact support.',
    ],
  }),
  removed: ({ brand, name, factor, by }: About & { factor: string; by: RemovedBy }) => ({
    subject: `${brand}: ${factor} removed`,
    text: [
      `Hello ${name},`,
      `your ${brand} account no longer has: ${factor}. ${removedBy[by]}`,
      'If this was not you, change your password now and contact support.',
    ],
  }),
  codesMade: ({ brand, name, at, address }: Made) => ({
    subject: `${brand}: new recovery codes`,
    text: [
      `Hello ${name},`,
      `new recovery codes were made for your ${brand} account. The former ones no longer work.`,
      `${at}\nNetwork address ${address}`,
      'If this was not you, change your password now, make new codes on your account page and contact support.',
    ],
  }),
} as const
