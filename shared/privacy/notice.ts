// The version of the privacy notice that people agree to; a new text is a new version, and everybody is asked again.

/** The day of the notice in `shared/text/en/privacy-notice.ts`; to be raised with every change of what it promises. */
export const noticeVersion = '2026-11-23'

/** Where the notice stands; named in every place that asks for consent. */
export const noticePath = '/privacy'
