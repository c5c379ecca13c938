// Small screens: button that opens the account sheet.
import { marketText } from '#shared/text/en/market.ts'
import type { AccountProps } from './account-actions.tsx'
import { MenuButton } from './menu-button.tsx'
import { AccountSheet } from './lazy-panels.tsx'

export function AccountMenu(props: AccountProps) {
  return <MenuButton label={marketText.menu}>{(state) => <AccountSheet {...props} {...state} />}</MenuButton>
}
