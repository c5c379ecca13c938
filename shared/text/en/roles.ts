// Texts of roles: who is an admin, and the change of it.
import { texts } from '../texts.ts'

export const rolesText = texts('roles', {
  title: 'Role',
  admin: 'Admin',
  isAdmin: 'Admin: manages users, payments and passwords.',
  isUser: 'User: no access to the admin pages.',
  isYou: 'Your own role can only be changed by another admin, so one admin always stays.',
  promote: 'Make admin',
  promoteTitle: 'Make this user an admin?',
  promoteQuestion: (name: string) =>
    `${name} will be able to do everything that you can do here. All sessions end; the next sign-in asks for a new password of at least 12 characters and for two-factor sign-in.`,
  demote: 'Remove admin role',
  demoteTitle: 'Remove the admin role?',
  demoteQuestion: (name: string) => `${name} loses access to the admin pages, and all sessions end.`,
  promoted: 'The user is an admin now',
  demoted: 'The admin role is removed',
  changeFailed: 'The role could not be changed. Please try again.',
  ownRole: 'Another admin has to change your role',
})
