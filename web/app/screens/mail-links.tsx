// The screens that links of mails lead to, in one chunk.
export { ConfirmEmailScreen } from './confirm-email.tsx'
export { ResetPasswordLinkScreen } from './reset-password-link.tsx'
