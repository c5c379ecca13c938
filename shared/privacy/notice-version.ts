// Version of the privacy notice; after a new version all users are asked for consent again.

/** Date of the notice in `shared/privacy/text/en-notice.ts`; increase it with every change of content. */
export const noticeVersion = '2026-11-25'

/** Path of the notice; linked wherever consent is requested. */
export const noticePath = '/privacy'
