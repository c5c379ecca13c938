// Screens opened from email links, in one chunk.
export { ConfirmEmailScreen } from './confirm-email.tsx'
export { ResetPasswordLinkScreen } from './reset-password-link.tsx'
