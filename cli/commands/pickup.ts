/** `pickup [store] [--busy <minutes>] [--pause | --resume] [--until <time>]`: how busy a store is, and whether it takes pickups. */
import { isoTime } from '#server/platform/time-zone.ts';
import { CommandError, type CommandSetup, wholeNumber, withShop } from '../command.ts';

interface Options {
  busy?: number;
  pause?: true;
  resume?: true;
  until?: string;
}

export const pickup: CommandSetup = (program, terminal) => {
  const command = program.command('pickup');
  command.description('Says that a store is busy, or takes no pickups for a while; without options, shows it.');
  command.argument('[store]', 'The store; all by default.');
  command.option('--busy <minutes>', 'Promises pickups and deliveries this much later; 0: as usual.', wholeNumber(0, 240));
  command.option('--pause', 'Lets nobody choose a pickup time before its end.');
  command.option('--resume', 'Ends the pause.');
  command.option('--until <HH:mm>', 'When it ends; by default when the store opens on its next day.');
  command.action(async (id: string | undefined, { busy, pause, resume, until }: Options) => {
    const changes = busy !== undefined || pause === true || resume === true;
    if (id === undefined && changes) command.error('The store is missing');
    if (pause && resume) command.error('--pause and --resume exclude each other');
    const { t } = terminal;
    await withShop(terminal, async ({ stores }, run) => {
      const chosen = async () => (await stores.all()).filter((store) => id === undefined || store.id === id);
      const [store] = await chosen();
      if (id !== undefined && !store) throw new CommandError(t('soldOut.storeUnknown', { store: id }));
      if (store && changes) {
        const paused = pause || resume ? { paused: pause === true } : {};
        const wish = {
          ...paused,
          ...(busy === undefined ? {} : { busyMinutes: busy }),
          ...(until === undefined ? {} : { until }),
        };
        await run((change) => stores.changeToday(change, store, wish));
      }
      for (const { id: name, timeZone, today } of await chosen()) {
        const said = (key: 'pickup.busy' | 'pickup.paused', end: number, minutes = 0) =>
          terminal.print(t(key, { store: name, minutes, until: isoTime(end, timeZone) }));
        if (today?.busy) said('pickup.busy', today.busy.until, today.busy.minutes);
        if (today?.pausedUntil) said('pickup.paused', today.pausedUntil);
        if (!today?.busy && !today?.pausedUntil) terminal.print(t('pickup.usual', { store: name }));
      }
    });
  });
};
