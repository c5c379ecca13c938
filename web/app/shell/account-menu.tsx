// On small screens: the button behind which everything stands that finds no place in the header.
import { marketText } from '#shared/text/en/market.ts'
import type { AccountProps } from './account-actions.tsx'
import { MenuButton } from './menu-button.tsx'
import { AccountSheet } from './panels.tsx'

export function AccountMenu(props: AccountProps) {
  return <MenuButton label={marketText.menu}>{(state) => <AccountSheet {...props} {...state} />}</MenuButton>
}
