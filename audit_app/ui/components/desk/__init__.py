"""What the desks share: the log of actions and its answers, the taxonomy as data, parts in js/."""
