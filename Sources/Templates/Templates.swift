// Templates
