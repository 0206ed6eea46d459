import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { usePageState } from '../shared/use-page-state';
import { EditSavedFilters } from './edit-saved-filters';
import { SaveFilter } from './save-filter';
import { useSavedFilters } from './saved-filters';

type Dialog = 'save' | 'edit';

/** Chooses a saved filter, saves the present one, and opens the list of all. They are read when the menu is opened. */
export function SavedFiltersMenu() {
  const [state] = usePageState();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu position="bottom-start" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconBookmark size={14} aria-hidden />}>
            <Trans>Saved filters</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItems present={state.toString()} onOpen={setDialog} />
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && <SaveFilter search={state.toString()} onClose={close} />}
      {dialog === 'edit' && <EditSavedFilters onClose={close} />}
    </>
  );
}

interface MenuItemsProps {
  /** The search parameters of the address. */
  readonly present: string;
  readonly onOpen: (dialog: Dialog) => void;
}

function MenuItems({ present, onOpen }: MenuItemsProps) {
  const { data, error } = useSavedFilters().saved;
  const filters = data?.filters ?? [];
  return (
    <>
      {filters.map(({ name, search }) => (
        <Menu.Item
          key={name}
          component={Link}
          to={`/history?${search}`}
          {...(search === present && { 'aria-current': true, fw: 700 })}
        >
          {name}
        </Menu.Item>
      ))}
      {data && filters.length === 0 && (
        <Menu.Label>
          <Trans>No saved filters</Trans>
        </Menu.Label>
      )}
      {error && <Menu.Label maw={280}>{error.message}</Menu.Label>}
      {data?.place === 'browser' && <Menu.Label maw={280}>{IN_THIS_BROWSER}</Menu.Label>}
      <Menu.Divider />
      <Menu.Item disabled={present === ''} onClick={() => onOpen('save')}>
        <Trans>Save these filters</Trans>
      </Menu.Item>
      <Menu.Item disabled={filters.length === 0} onClick={() => onOpen('edit')}>
        <Trans>Rename or delete</Trans>
      </Menu.Item>
    </>
  );
}

const IN_THIS_BROWSER = t`They are stored in this browser only, because you are not permitted to write to the datastore (key_value_pair_set).`;
