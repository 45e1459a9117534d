/** Who works in the office: roles, stores, invitations, and devices at counters. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { inLocale } from '#contract/locales.ts';
import { roleText } from '#contract/staff/messages.ts';
import { type Role, roleNames } from '#contract/staff/permissions.ts';
import type { StaffMember } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { Checkbox, Select, TextField } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';
import { SendForm } from '../../lib/send-form.tsx';
import { Roles, useRoles } from './roles.tsx';
import { Stations } from './stations.tsx';

export default function Staff() {
  const { may } = useOffice();
  return (
    <div className="flex max-w-[60rem] flex-col gap-6">
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
        <Button icon="plus" size="small" onClick={() => setEdited('new')}>
          {t('office.invite')}
        </Button>
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
  const places = usePlaces(member.stores);
  const state = useStateText(member);
  return (
    <li className="grid items-center gap-x-6 gap-y-1 py-3 max-form:[&>button]:justify-self-start form:grid-cols-[1fr_12rem_14rem_auto]">
      <p className="min-w-0">
        <span className="font-semibold">{member.name || member.email}</span>
        {member.name && <span className="block truncate text-ink-soft text-sm">{member.email}</span>}
      </p>
      <p>
        {roleText(t, member)}
        <span className="block text-ink-soft text-sm">{places}</span>
      </p>
      <p className="text-ink-soft text-sm">{state}</p>
      {member.name === '' ? (
        <span />
      ) : (
        <Button variant="secondary" size="small" onClick={onEdit}>
          {t('office.change')}
        </Button>
      )}
    </li>
  );
}

function usePlaces(ids: StaffMember['stores']): string {
  const { t, locale, shop } = useOffice();
  const nameOf = (id: string) => {
    const store = shop.stores.find((each) => each.id === id);
    return store ? inLocale(store.nameContent, locale) : id;
  };
  return ids === null ? t('staff.allStores') : ids.map(nameOf).join(', ');
}

function useStateText({ blocked, demo, name, invitedUntil, secondFactor }: StaffMember): string {
  const { t, locale, shop } = useOffice();
  const time = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: shop.timeZone });
  if (blocked) return t('staff.state.blocked');
  if (demo) return t('staff.state.demo');
  if (name === '') return t('staff.state.invited', { until: invitedUntil === null ? '' : time.format(invitedUntil) });
  return t(secondFactor ? 'staff.state.secured' : 'staff.state.password');
}

interface Access {
  role: string;
  stores: string[] | null;
}

/** Role and stores. */
function AccessFields({
  access,
  onChange,
  error,
}: {
  access: Access;
  onChange: (access: Access) => void;
  error?: string | undefined;
}) {
  const { t, locale, shop } = useOffice();
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
          shop.stores.map(({ id, nameContent }) => (
            <Checkbox
              key={id}
              className="pl-8"
              label={inLocale(nameContent, locale)}
              checked={stores.includes(id)}
              onChange={(event) => toggle(id, event.target.checked)}
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
      <Button done={copied} onClick={copy}>
        {t('office.copyLink')}
      </Button>
    </>
  );
}

function MemberDialog({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const [access, setAccess] = useState<Access>({ role: member.role, stores: member.stores });
  const change = useMutation({
    mutationFn: (body: Partial<Access> & { blocked?: boolean }) => call('changeStaff', { params: { id: member.id }, body }),
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
        <Button busy={change.isPending} onClick={() => change.mutate(access)}>
          {t('office.save')}
        </Button>
        <Button variant="secondary" onClick={() => change.mutate({ blocked: !member.blocked })}>
          {t(member.blocked ? 'office.unblock' : 'office.block')}
        </Button>
      </div>
    </Dialog>
  );
}
