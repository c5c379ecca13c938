// Texts of the pages for HTTP errors.
import { texts } from '#shared/text/texts.ts'

export const statusPagesText = texts('statusPages', {
  forbidden: '403 Forbidden',
  forbiddenTitle: 'This area is for admins',
  forbiddenText: 'Your account does not have permission to open this page.',
  forbiddenVisitor: 'Sign in as an admin to open this page.',
  notFound: '404 Not found',
  notFoundTitle: 'There is no page here',
  notFoundText: 'The address may be mistyped, or the page has moved.',
  badRequest: '400 Bad request',
  badRequestTitle: 'That request did not make sense',
  badRequestText: 'Something in it was missing or broken. Please start again from the homepage.',
  notAllowed: '405 Method not allowed',
  notAllowedTitle: 'This page only shows things',
  notAllowedText: 'Nothing can be sent to it. Please start again from the homepage.',
  gapPicture: 'A chart with one candle missing',
  lockedPicture: 'A chart behind a lock',
})
