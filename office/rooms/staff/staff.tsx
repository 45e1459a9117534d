/** Who works in the office: roles, the shop's own among them, stores, invitations, and devices at counters. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import type { OwnRole } from '#contract/staff/accounts.ts';
import { roleText } from '#contract/staff/messages.ts';
import { permissions, type Role, roleNames } from '#contract/staff/permissions.ts';
import type { StaffMember } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, FormSection, useForm } from '#ui/form.tsx';
import { Checkbox, Select, TextField } from '#ui/inputs.tsx';
import { useOnce } from '../../lib/api.ts';
import { useEnter, useOffice, useStores } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';

export default function Staff() {
  const { may } = useOffice();
  return (
    <div className="flex max-w-room flex-col gap-6">
      {may.includes('staff.manage') && <People />}
      {may.includes('stations.manage') && <Stations />}
    </div>
  );
}

function People() {
  const { t, call } = useOffice();
  const { data, error } = useQuery({ queryKey: ['staff'], queryFn: () => call('staff') });
  const [edited, setEdited] = useState<StaffMember | 'new'>();
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.staff')}</h1>
        <Button label={t('office.invite')} icon="plus" size="small" onClick={() => setEdited('new')} />
      </header>
      <Problem error={error} />
      <ul className="divide-y divide-line border-line border-y">
        {data?.staff.map((member) => (
          <Member key={member.id} member={member} onEdit={() => setEdited(member)} />
        ))}
      </ul>
      <Roles />
      {edited === 'new' && <InviteDialog onClose={() => setEdited(undefined)} />}
      {edited && edited !== 'new' && <MemberDialog member={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function Member({ member, onEdit }: { member: StaffMember; onEdit: () => void }) {
  const { t } = useOffice();
  const { nameOf } = useStores();
  const state = useStateText(member);
  return (
    <li className="grid items-center gap-x-6 gap-y-1 py-3 max-form:[&>button]:justify-self-start form:grid-cols-[1fr_12rem_14rem_6rem] form:[&>button]:justify-self-end">
      <p className="min-w-0">
        <span className="font-semibold">{member.name || member.email}</span>
        {member.name && <span className="block truncate text-ink-soft text-sm">{member.email}</span>}
      </p>
      <p>
        {roleText(t, member)}
        <span className="block text-ink-soft text-sm">
          {member.stores === null
            ? t('staff.allStores')
            : member.stores.map((id) => nameOf(id) ?? id).join(t('office.listSeparator'))}
        </span>
      </p>
      <p className="text-ink-soft text-sm">{state}</p>
      {member.name === '' ? (
        <EndInvitation email={member.email} isShort />
      ) : (
        <Button data-edits label={t('office.change')} variant="secondary" size="small" onClick={onEdit} />
      )}
    </li>
  );
}

/** A link that was sent to the wrong address, or to somebody who is not to come after all, stops working. */
function EndInvitation({ email, isShort = false }: { email: string; isShort?: boolean }) {
  const { t, call, queries } = useOffice();
  const end = useMutation({
    mutationFn: () => call('endInvitation', { body: { email } }),
    onSuccess: (answer) => queries.setQueryData(['staff'], answer),
  });
  return (
    <>
      <Button
        label={t(isShort ? 'office.endInvitation.short' : 'office.endInvitation')}
        aria-label={t('office.endInvitation')}
        variant="secondary"
        size="small"
        busy={end.isPending}
        onClick={() => end.mutate()}
      />
      <Problem error={end.error} />
    </>
  );
}

function useStateText({ blocked, demo, name, invitedUntil, secondFactor }: StaffMember): string {
  const { t, locale, shop } = useOffice();
  const time = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  if (blocked) return t('staff.state.blocked');
  if (demo) return t('staff.state.demo');
  if (name === '')
    return t('staff.state.invited', { until: invitedUntil === null ? '' : time.format(invitedUntil) });
  return t(secondFactor ? 'staff.state.secured' : 'staff.state.password');
}

interface Access {
  role: string;
  stores: string[] | null;
}

interface AccessFieldsProps {
  access: Access;
  onChange: (access: Access) => void;
  error?: string | undefined;
}

function AccessFields({ access, onChange, error }: AccessFieldsProps) {
  const { t } = useOffice();
  const { all } = useStores();
  const { role, stores } = access;
  const own = useRoles();
  const toggle = (id: string, on: boolean) =>
    onChange({ role, stores: on ? [...(stores ?? []), id] : (stores ?? []).filter((each) => each !== id) });
  return (
    <>
      <Select
        label={t('office.role')}
        hint={own.some(({ id }) => id === role) ? undefined : t(`office.roleHint.${role as Role}`)}
        options={[
          ...roleNames.map((value) => ({ value, label: t(`staff.role.${value}`) })),
          ...own.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={role}
        onChange={(event) => onChange({ role: event.target.value, stores })}
      />
      <fieldset className="flex flex-col">
        <legend className="mb-1 font-semibold">{t('office.stores')}</legend>
        <Checkbox
          label={t('staff.allStores')}
          checked={stores === null}
          onChange={(event) => onChange({ role, stores: event.target.checked ? null : [] })}
        />
        {stores !== null &&
          all.map(({ value, label }) => (
            <Checkbox
              key={value}
              className="pl-8"
              label={label}
              checked={stores.includes(value)}
              onChange={(event) => toggle(value, event.target.checked)}
            />
          ))}
        {error && (
          <p className="font-medium text-clay text-sm" tabIndex={-1} data-invalid>
            {error}
          </p>
        )}
      </fieldset>
    </>
  );
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const [link, setLink] = useState<string>();
  const form = useForm({
    initial: { email: '', role: 'assistant', stores: null as string[] | null },
    send: (body) => call('inviteStaff', { body }),
    onSent: async (answer) => {
      setLink(answer.link);
      await queries.invalidateQueries({ queryKey: ['staff'] });
    },
  });
  const { role, stores } = form.values;
  return (
    <Dialog open onClose={onClose} title={t('office.invite')}>
      {link ? (
        <InviteLink link={link} />
      ) : (
        <SendForm form={form} label={t('office.makeLink')}>
          <TextField {...form.field('email')} label={t('office.email')} type="email" autoComplete="off" />
          <AccessFields access={{ role, stores }} onChange={form.change} error={form.errors.stores} />
        </SendForm>
      )}
    </Dialog>
  );
}

function InviteLink({ link }: { link: string }) {
  const { t } = useOffice();
  const [copied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(link).then(() => setCopied(true));
  return (
    <>
      <p>{t('office.linkText')}</p>
      <TextField label={t('office.link')} value={link} readOnly onFocus={(event) => event.target.select()} />
      <Button label={t('office.copyLink')} done={copied} onClick={copy} />
    </>
  );
}

function MemberDialog({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const { t, call, queries, locale } = useOffice();
  const { nameOf } = useStores();
  const { stations, invitations, keys } = member.started;
  const ends = [
    ...stations.map(
      ({ store, device }) => `${nameOf(store) ?? store} (${device || t('office.unknownDevice')})`,
    ),
    ...invitations,
    ...keys,
  ];
  const [access, setAccess] = useState<Access>({ role: member.role, stores: member.stores });
  const change = useMutation({
    mutationFn: (body: Partial<Access> & { blocked?: boolean }) =>
      call('changeStaff', { params: { id: member.id }, body }),
    onSuccess: (answer) => {
      queries.setQueryData(['staff'], answer);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={member.name}>
      <Problem error={change.error} />
      <AccessFields access={access} onChange={setAccess} />
      <div className="flex flex-wrap gap-3">
        <Button label={t('office.save')} busy={change.isPending} onClick={() => change.mutate(access)} />
        <Button variant="secondary" onClick={() => change.mutate({ blocked: !member.blocked })}>
          {t(member.blocked ? 'office.unblock' : 'office.block')}
        </Button>
      </div>
      {member.invitedUntil !== null && <EndInvitation email={member.email} />}
      {!member.blocked && ends.length > 0 && (
        <p className="text-ink-soft text-sm">
          {t('office.blockEnds', { list: new Intl.ListFormat(locale).format(ends) })}
        </p>
      )}
    </Dialog>
  );
}

function useRoles(): readonly OwnRole[] {
  const { call } = useOffice();
  return useQuery({ queryKey: ['roles'], queryFn: () => call('roles') }).data?.roles ?? [];
}

function Roles() {
  const { t } = useOffice();
  const roles = useRoles();
  const [edited, setEdited] = useState<OwnRole | 'new'>();
  return (
    <section aria-labelledby="own-roles" className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="own-roles" className="text-lg">
          {t('office.ownRoles')}
        </h2>
        <Button
          label={t('office.newRole')}
          variant="secondary"
          icon="plus"
          size="small"
          onClick={() => setEdited('new')}
        />
      </header>
      <p className="text-ink-soft">{t('office.ownRolesWhy')}</p>
      {roles.length > 0 && (
        <ul className="divide-y divide-line border-line border-y">
          {roles.map((role) => (
            <li key={role.id} className="flex min-h-14 items-center gap-4 py-3">
              <p className="min-w-0 flex-1">
                <span className="font-semibold">{role.name}</span>
                <span className="text-ink-soft text-sm">
                  {' '}
                  · {t('office.rolePeople', { count: role.people })}
                </span>
                <span className="block text-ink-soft text-sm">
                  {role.permissions.map((each) => t(`office.permission.${each}`)).join(' · ')}
                </span>
              </p>
              <Button
                data-edits
                label={t('office.change')}
                variant="secondary"
                size="small"
                onClick={() => setEdited(role)}
              />
            </li>
          ))}
        </ul>
      )}
      {edited && <RoleDialog role={edited === 'new' ? null : edited} onClose={() => setEdited(undefined)} />}
    </section>
  );
}

function RoleDialog({ role, onClose }: { role: OwnRole | null; onClose: () => void }) {
  const { t, call, may, queries } = useOffice();
  const once = useOnce();
  const taken = (answer: { roles: OwnRole[] }) => {
    queries.setQueryData(['roles'], answer);
    onClose();
    return queries.invalidateQueries({ queryKey: ['staff'] });
  };
  const form = useForm({
    initial: { name: role?.name ?? '', permissions: [...(role?.permissions ?? [])] },
    send: (body) =>
      role ? call('changeRole', { params: { id: role.id }, body }) : call('addRole', { body, once }),
    onSent: taken,
  });
  const remove = useMutation({
    mutationFn: (id: string) => call('removeRole', { params: { id }, once }),
    onSuccess: taken,
  });
  const ticked = form.values.permissions;
  return (
    <Dialog open onClose={onClose} title={role?.name ?? t('office.newRole')}>
      <form {...form.formProps} className="flex flex-col gap-5">
        <FormProblem>{form.problem}</FormProblem>
        <Problem error={remove.error} />
        <TextField {...form.field('name')} label={t('office.roleName')} autoComplete="off" />
        <fieldset className="flex flex-col">
          <legend className="mb-1 font-semibold">{t('office.roleMay')}</legend>
          {permissions.map((each) => (
            <Checkbox
              key={each}
              className="min-h-11 justify-center"
              label={t(`office.permission.${each}`)}
              checked={ticked.includes(each)}
              disabled={!may.includes(each)}
              onChange={({ target }) =>
                form.change({
                  permissions: target.checked ? [...ticked, each] : ticked.filter((other) => other !== each),
                })
              }
            />
          ))}
        </fieldset>
        <div className="flex flex-wrap gap-3">
          <Button label={t('office.save')} type="submit" busy={form.busy} />
          {role && (
            <Button variant="secondary" busy={remove.isPending} onClick={() => remove.mutate(role.id)}>
              {t('office.removeRole')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function Stations() {
  const { t, locale, shop, call, queries } = useOffice();
  const enter = useEnter();
  const { data, error } = useQuery({ queryKey: ['stations'], queryFn: () => call('stations') });
  const { own: options } = useStores();
  const [store, setStore] = useState(options[0]?.value ?? '');
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: () => call('startStation', { body: { store } }),
    // This room is none of a station's.
    onSuccess: async (me) => {
      await navigate({ href: '/office/desk' });
      await enter(me);
    },
  });
  const end = useMutation({
    mutationFn: (id: string) => call('endStation', { params: { id } }),
    onSuccess: (answer) => queries.setQueryData(['stations'], answer),
  });
  const problem = start.error ?? end.error ?? error;
  const time = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  return (
    <FormSection title={t('office.stations')}>
      <Problem error={problem} />
      {data?.stations.length === 0 && <p className="text-ink-soft">{t('office.station.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.stations.map((each) => (
          <li key={each.id} className="flex min-h-14 items-center gap-4 py-2">
            <p className="min-w-0 flex-1">
              {options.find(({ value }) => value === each.store)?.label}
              <span className="block text-ink-soft text-sm">
                {each.device || t('office.unknownDevice')} ·{' '}
                {t('office.lastSeen', { time: time.format(each.lastSeenAt) })}
              </span>
            </p>
            <Button
              label={t('office.station.end')}
              variant="secondary"
              size="small"
              onClick={() => end.mutate(each.id)}
            />
          </li>
        ))}
      </ul>
      <div className="flex max-w-[40rem] flex-col items-start gap-4">
        <Select
          className="w-full max-w-xs"
          label={t('office.station.store')}
          options={options}
          value={store}
          onChange={(event) => setStore(event.target.value)}
        />
        <p className="text-ink-soft text-sm">{t('office.station.makeHint')}</p>
        <Button
          label={t('office.station.make')}
          variant="secondary"
          busy={start.isPending}
          onClick={() => start.mutate()}
        />
      </div>
    </FormSection>
  );
}
