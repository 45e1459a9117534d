/** The calls of stations: devices that are signed in as the counter of a store, where people are told apart by a PIN. */
import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Id, Nullable, Strict } from '../schemas/common.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';
import { Me, StaffSession } from './schemas.ts';

const Pin = described('Four to six digits.', Type.String({ pattern: '^\\d{4,6}$' }));

const Stations = Type.Object({
  stations: Type.Array(Type.Object({ ...Type.Omit(StaffSession, ['current']).properties, store: Id })),
});
export type Station = Static<typeof Stations>['stations'][number];

const atStation = { needs: 'anybody', station: 'only' } as const;

export const stationEndpoints = {
  stations: {
    route: 'GET stations',
    summary: 'The devices that are signed in as counters of stores.',
    needs: 'stations.manage',
    response: Stations,
  },
  startStation: {
    route: 'POST stations',
    summary: 'Signs this device in as the counter of a store, in place of the person.',
    needs: 'stations.manage',
    fresh: true,
    body: Strict({ store: Id }),
    response: Me,
  },
  endStation: {
    route: 'POST stations/:id/end',
    summary: 'Signs a station out.',
    needs: 'stations.manage',
    params: Strict({ id: Id }),
    response: Stations,
  },
  stationPeople: {
    route: 'GET station/people',
    summary: 'Who can enter a PIN at this station.',
    ...atStation,
    response: Type.Object({ people: Type.Array(Type.Object({ id: Id, name: Type.String() })) }),
  },
  enterPin: {
    route: 'POST station/person',
    summary: 'Says by a PIN who is at this station. They stay for five minutes after their last change.',
    ...atStation,
    body: Strict({ person: Id, pin: Pin }),
    response: Me,
  },
  leaveStation: { route: 'POST station/leave', summary: 'Nobody is at this station any more.', ...atStation, response: Me },
  setPin: {
    route: 'POST pin',
    summary: 'Sets the own PIN for stations, or removes it.',
    needs: 'anybody',
    fresh: true,
    body: Strict({ pin: Nullable(Pin) }),
    response: Done,
  },
} as const satisfies Record<string, StaffEndpoint>;
