"""The command that asks the controller for a connection."""

from typing import Any

from bumble.hci import (
    HCI_LE_1M_PHY,
    HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND,
    HCI_LE_Create_Connection_Command,
    HCI_LE_Extended_Create_Connection_Command,
    phy_list_to_bits,
)

SCAN_MS = 60.0
INTERVAL_MIN_MS = 15.0
INTERVAL_MAX_MS = 30.0
SUPERVISION_MS = 2000.0
"""Silence after which the controllers declare a link lost."""

_SCAN_UNIT_MS = 0.625
_INTERVAL_UNIT_MS = 1.25
_SUPERVISION_UNIT_MS = 10.0


def connect_command(host: Any, own_type: Any, target: Any) -> Any:
    """Return the HCI command to connect to ``target`` (a bumble ``Address``).

    Extended if the controller of ``host`` supports it, else legacy, with the same parameters.
    """
    scan = int(SCAN_MS / _SCAN_UNIT_MS)
    interval_min = int(INTERVAL_MIN_MS / _INTERVAL_UNIT_MS)
    interval_max = int(INTERVAL_MAX_MS / _INTERVAL_UNIT_MS)
    supervision = int(SUPERVISION_MS / _SUPERVISION_UNIT_MS)
    if host.supports_command(HCI_LE_EXTENDED_CREATE_CONNECTION_COMMAND):
        return HCI_LE_Extended_Create_Connection_Command(
            initiator_filter_policy=0,
            own_address_type=own_type,
            peer_address_type=target.address_type,
            peer_address=target,
            initiating_phys=phy_list_to_bits([HCI_LE_1M_PHY]),
            scan_intervals=(scan,),
            scan_windows=(scan,),
            connection_interval_mins=(interval_min,),
            connection_interval_maxs=(interval_max,),
            max_latencies=(0,),
            supervision_timeouts=(supervision,),
            min_ce_lengths=(0,),
            max_ce_lengths=(0,),
        )
    return HCI_LE_Create_Connection_Command(
        le_scan_interval=scan,
        le_scan_window=scan,
        initiator_filter_policy=0,
        peer_address_type=target.address_type,
        peer_address=target,
        own_address_type=own_type,
        connection_interval_min=interval_min,
        connection_interval_max=interval_max,
        max_latency=0,
        supervision_timeout=supervision,
        min_ce_length=0,
        max_ce_length=0,
    )
