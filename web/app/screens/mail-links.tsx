// Screens opened from email links, in one chunk.
export { ConfirmEmailScreen } from './confirm-email-screen.tsx'
export { ResetPasswordLinkScreen } from './reset-password-link-screen.tsx'
