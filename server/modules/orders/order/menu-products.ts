/** Menus name products by their ids, which change with the address. */
import type { Change } from '#server/modules/changes/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';

/** A product keeps its place in menus under another address: on none it would be served at any time. */
export async function followInMenus(
  settings: Pick<SettingsService, 'read' | 'update'>,
  change: Change,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { menus } = await settings.read(change.trx);
  if (!menus.some(({ products }) => products.includes(from))) return;
  const moved = (products: readonly string[]) => products.map((id) => (id === from ? to : id));
  await settings.update(change, {
    menus: menus.map((menu) => ({ ...menu, products: moved(menu.products) })),
  });
}
